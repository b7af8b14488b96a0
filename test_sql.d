test_sql.o: tests/test_sql.c tests/places.h tests/../src/base/memory.c \
 tests/../src/base/base.h tests/../src/base/platform.h \
 tests/../src/base/../api/taco_parquet.h tests/test.h tests/alloc.h \
 tests/../src/base/base.h tests/../src/parquet/parquet.h \
 tests/../src/parquet/../base/base.h \
 tests/../src/parquet/../codec/codec.h \
 tests/../src/parquet/../codec/../base/base.h \
 tests/../src/parquet/../arrow/arrow.h \
 tests/../src/parquet/../arrow/../base/base.h \
 tests/../src/parquet/format.h tests/../src/parquet/decode.h \
 tests/../src/dataset/dataset.h tests/../src/dataset/collection.h \
 tests/../src/dataset/../api/taco.h \
 tests/../src/dataset/../api/taco_parquet.h \
 tests/../src/dataset/../base/base.h tests/../src/dataset/../base/json.h \
 tests/../src/dataset/../base/base.h tests/../src/dataset/archive.h \
 tests/../src/dataset/gdal_path.h tests/../src/dataset/avro.h \
 tests/../src/dataset/container.h \
 tests/../src/dataset/../parquet/parquet.h \
 tests/../src/dataset/../filter/filter.h \
 tests/../src/dataset/../filter/value.h \
 tests/../src/dataset/../filter/../base/base.h \
 tests/../src/dataset/../filter/../parquet/parquet.h \
 tests/../src/dataset/cascade.h tests/../src/dataset/navigation.h \
 tests/../src/dataset/cursor.h tests/../src/dataset/../filter/scan.h \
 tests/../src/dataset/../filter/filter.h tests/../src/sql/sql.h \
 tests/../src/sql/../api/taco_sql.h tests/../src/sql/../api/taco.h \
 tests/../src/sql/../base/base.h tests/../src/sql/../filter/filter.h \
 tests/../src/sql/../dataset/dataset.h tests/../src/sql/statement.h \
 tests/../taco_parquet.h tests/../taco.h tests/../taco_sql.h \
 tests/footer.h tests/make.h tests/sql_run.h
tests/places.h:
tests/../src/base/memory.c:
tests/../src/base/base.h:
tests/../src/base/platform.h:
tests/../src/base/../api/taco_parquet.h:
tests/test.h:
tests/alloc.h:
tests/../src/base/base.h:
tests/../src/parquet/parquet.h:
tests/../src/parquet/../base/base.h:
tests/../src/parquet/../codec/codec.h:
tests/../src/parquet/../codec/../base/base.h:
tests/../src/parquet/../arrow/arrow.h:
tests/../src/parquet/../arrow/../base/base.h:
tests/../src/parquet/format.h:
tests/../src/parquet/decode.h:
tests/../src/dataset/dataset.h:
tests/../src/dataset/collection.h:
tests/../src/dataset/../api/taco.h:
tests/../src/dataset/../api/taco_parquet.h:
tests/../src/dataset/../base/base.h:
tests/../src/dataset/../base/json.h:
tests/../src/dataset/../base/base.h:
tests/../src/dataset/archive.h:
tests/../src/dataset/gdal_path.h:
tests/../src/dataset/avro.h:
tests/../src/dataset/container.h:
tests/../src/dataset/../parquet/parquet.h:
tests/../src/dataset/../filter/filter.h:
tests/../src/dataset/../filter/value.h:
tests/../src/dataset/../filter/../base/base.h:
tests/../src/dataset/../filter/../parquet/parquet.h:
tests/../src/dataset/cascade.h:
tests/../src/dataset/navigation.h:
tests/../src/dataset/cursor.h:
tests/../src/dataset/../filter/scan.h:
tests/../src/dataset/../filter/filter.h:
tests/../src/sql/sql.h:
tests/../src/sql/../api/taco_sql.h:
tests/../src/sql/../api/taco.h:
tests/../src/sql/../base/base.h:
tests/../src/sql/../filter/filter.h:
tests/../src/sql/../dataset/dataset.h:
tests/../src/sql/statement.h:
tests/../taco_parquet.h:
tests/../taco.h:
tests/../taco_sql.h:
tests/footer.h:
tests/make.h:
tests/sql_run.h:
