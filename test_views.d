test_views.o: tests/test_views.c tests/../src/dataset/range_source.c \
 tests/../src/dataset/dataset.h tests/../src/dataset/collection.h \
 tests/../src/dataset/../api/taco.h \
 tests/../src/dataset/../api/taco_parquet.h \
 tests/../src/dataset/../base/base.h \
 tests/../src/dataset/../base/platform.h \
 tests/../src/dataset/../base/../api/taco_parquet.h \
 tests/../src/dataset/../base/json.h tests/../src/dataset/../base/base.h \
 tests/../src/dataset/archive.h tests/../src/dataset/gdal_path.h \
 tests/../src/dataset/avro.h tests/../src/dataset/container.h \
 tests/../src/dataset/../parquet/parquet.h \
 tests/../src/dataset/../parquet/../base/base.h \
 tests/../src/dataset/../parquet/../codec/codec.h \
 tests/../src/dataset/../parquet/../codec/../base/base.h \
 tests/../src/dataset/../parquet/../arrow/arrow.h \
 tests/../src/dataset/../parquet/../arrow/../base/base.h \
 tests/../src/dataset/../parquet/format.h \
 tests/../src/dataset/../parquet/decode.h \
 tests/../src/dataset/../filter/filter.h \
 tests/../src/dataset/../filter/value.h \
 tests/../src/dataset/../filter/../base/base.h \
 tests/../src/dataset/../filter/../parquet/parquet.h \
 tests/../src/dataset/cascade.h tests/../src/dataset/navigation.h \
 tests/../src/dataset/cursor.h tests/../src/dataset/../filter/scan.h \
 tests/../src/dataset/../filter/filter.h tests/../src/base/base.h \
 tests/../src/parquet/parquet.h tests/../src/filter/filter.h \
 tests/../src/parquet_write/parquet_write.h \
 tests/../src/parquet_write/../api/taco_parquet_write.h \
 tests/../src/parquet_write/../api/taco_parquet.h \
 tests/../src/parquet_write/../base/base.h \
 tests/../src/parquet_write/../codec/encode.h \
 tests/../src/parquet_write/../codec/zstd.h \
 tests/../src/parquet_write/../codec/codec.h \
 tests/../src/parquet_write/../parquet/parquet.h tests/../src/sql/sql.h \
 tests/../src/sql/../api/taco_sql.h tests/../src/sql/../api/taco.h \
 tests/../src/sql/../base/base.h tests/../src/sql/../filter/filter.h \
 tests/../src/sql/../dataset/dataset.h tests/../src/sql/statement.h \
 tests/../taco_parquet.h tests/../taco_parquet_write.h tests/../taco.h \
 tests/../taco_sql.h tests/alloc.h tests/test.h tests/footer.h \
 tests/make.h
tests/../src/dataset/range_source.c:
tests/../src/dataset/dataset.h:
tests/../src/dataset/collection.h:
tests/../src/dataset/../api/taco.h:
tests/../src/dataset/../api/taco_parquet.h:
tests/../src/dataset/../base/base.h:
tests/../src/dataset/../base/platform.h:
tests/../src/dataset/../base/../api/taco_parquet.h:
tests/../src/dataset/../base/json.h:
tests/../src/dataset/../base/base.h:
tests/../src/dataset/archive.h:
tests/../src/dataset/gdal_path.h:
tests/../src/dataset/avro.h:
tests/../src/dataset/container.h:
tests/../src/dataset/../parquet/parquet.h:
tests/../src/dataset/../parquet/../base/base.h:
tests/../src/dataset/../parquet/../codec/codec.h:
tests/../src/dataset/../parquet/../codec/../base/base.h:
tests/../src/dataset/../parquet/../arrow/arrow.h:
tests/../src/dataset/../parquet/../arrow/../base/base.h:
tests/../src/dataset/../parquet/format.h:
tests/../src/dataset/../parquet/decode.h:
tests/../src/dataset/../filter/filter.h:
tests/../src/dataset/../filter/value.h:
tests/../src/dataset/../filter/../base/base.h:
tests/../src/dataset/../filter/../parquet/parquet.h:
tests/../src/dataset/cascade.h:
tests/../src/dataset/navigation.h:
tests/../src/dataset/cursor.h:
tests/../src/dataset/../filter/scan.h:
tests/../src/dataset/../filter/filter.h:
tests/../src/base/base.h:
tests/../src/parquet/parquet.h:
tests/../src/filter/filter.h:
tests/../src/parquet_write/parquet_write.h:
tests/../src/parquet_write/../api/taco_parquet_write.h:
tests/../src/parquet_write/../api/taco_parquet.h:
tests/../src/parquet_write/../base/base.h:
tests/../src/parquet_write/../codec/encode.h:
tests/../src/parquet_write/../codec/zstd.h:
tests/../src/parquet_write/../codec/codec.h:
tests/../src/parquet_write/../parquet/parquet.h:
tests/../src/sql/sql.h:
tests/../src/sql/../api/taco_sql.h:
tests/../src/sql/../api/taco.h:
tests/../src/sql/../base/base.h:
tests/../src/sql/../filter/filter.h:
tests/../src/sql/../dataset/dataset.h:
tests/../src/sql/statement.h:
tests/../taco_parquet.h:
tests/../taco_parquet_write.h:
tests/../taco.h:
tests/../taco_sql.h:
tests/alloc.h:
tests/test.h:
tests/footer.h:
tests/make.h:
