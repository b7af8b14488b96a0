bind.o: src/sql/bind.c src/sql/sql.h src/sql/../api/taco_sql.h \
 src/sql/../api/taco.h src/sql/../api/taco_parquet.h \
 src/sql/../base/base.h src/sql/../base/platform.h \
 src/sql/../base/../api/taco_parquet.h src/sql/../filter/filter.h \
 src/sql/../filter/value.h src/sql/../filter/../base/base.h \
 src/sql/../filter/../parquet/parquet.h \
 src/sql/../filter/../parquet/../base/base.h \
 src/sql/../filter/../parquet/../codec/codec.h \
 src/sql/../filter/../parquet/../codec/../base/base.h \
 src/sql/../filter/../parquet/../arrow/arrow.h \
 src/sql/../filter/../parquet/../arrow/../base/base.h \
 src/sql/../filter/../parquet/format.h \
 src/sql/../filter/../parquet/decode.h src/sql/../dataset/dataset.h \
 src/sql/../dataset/collection.h src/sql/../dataset/../api/taco.h \
 src/sql/../dataset/../base/base.h src/sql/../dataset/../base/json.h \
 src/sql/../dataset/../base/base.h src/sql/../dataset/archive.h \
 src/sql/../dataset/gdal_path.h src/sql/../dataset/avro.h \
 src/sql/../dataset/container.h src/sql/../dataset/../parquet/parquet.h \
 src/sql/../dataset/../filter/filter.h src/sql/../dataset/cascade.h \
 src/sql/../dataset/navigation.h src/sql/../dataset/cursor.h \
 src/sql/../dataset/../filter/scan.h \
 src/sql/../dataset/../filter/filter.h src/sql/statement.h \
 src/sql/functions.h src/sql/../arrow/arrow.h
src/sql/sql.h:
src/sql/../api/taco_sql.h:
src/sql/../api/taco.h:
src/sql/../api/taco_parquet.h:
src/sql/../base/base.h:
src/sql/../base/platform.h:
src/sql/../base/../api/taco_parquet.h:
src/sql/../filter/filter.h:
src/sql/../filter/value.h:
src/sql/../filter/../base/base.h:
src/sql/../filter/../parquet/parquet.h:
src/sql/../filter/../parquet/../base/base.h:
src/sql/../filter/../parquet/../codec/codec.h:
src/sql/../filter/../parquet/../codec/../base/base.h:
src/sql/../filter/../parquet/../arrow/arrow.h:
src/sql/../filter/../parquet/../arrow/../base/base.h:
src/sql/../filter/../parquet/format.h:
src/sql/../filter/../parquet/decode.h:
src/sql/../dataset/dataset.h:
src/sql/../dataset/collection.h:
src/sql/../dataset/../api/taco.h:
src/sql/../dataset/../base/base.h:
src/sql/../dataset/../base/json.h:
src/sql/../dataset/../base/base.h:
src/sql/../dataset/archive.h:
src/sql/../dataset/gdal_path.h:
src/sql/../dataset/avro.h:
src/sql/../dataset/container.h:
src/sql/../dataset/../parquet/parquet.h:
src/sql/../dataset/../filter/filter.h:
src/sql/../dataset/cascade.h:
src/sql/../dataset/navigation.h:
src/sql/../dataset/cursor.h:
src/sql/../dataset/../filter/scan.h:
src/sql/../dataset/../filter/filter.h:
src/sql/statement.h:
src/sql/functions.h:
src/sql/../arrow/arrow.h:
