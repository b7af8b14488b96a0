test_columns.o: tests/test_columns.c tests/columns.h tests/works.h \
 tests/places.h tests/../src/base/memory.c tests/../src/base/base.h \
 tests/../src/base/platform.h tests/../src/base/../api/taco_parquet.h \
 tests/test.h tests/alloc.h tests/../src/base/file_copy.h \
 tests/../src/base/temporary.h tests/../src/base/platform_write.h \
 tests/../src/base/temporary.h tests/../taco_sql.h tests/../taco.h \
 tests/../taco_parquet.h tests/../taco_write.h \
 tests/../taco_parquet_inspect.h tests/../taco_parquet_write.h \
 tests/../taco_tiff.h tests/../taco_legacy.h tests/../taco_write.h \
 tests/../taco_publish.h tests/../taco_rasteret.h tests/names.h \
 tests/tiff.h
tests/columns.h:
tests/works.h:
tests/places.h:
tests/../src/base/memory.c:
tests/../src/base/base.h:
tests/../src/base/platform.h:
tests/../src/base/../api/taco_parquet.h:
tests/test.h:
tests/alloc.h:
tests/../src/base/file_copy.h:
tests/../src/base/temporary.h:
tests/../src/base/platform_write.h:
tests/../src/base/temporary.h:
tests/../taco_sql.h:
tests/../taco.h:
tests/../taco_parquet.h:
tests/../taco_write.h:
tests/../taco_parquet_inspect.h:
tests/../taco_parquet_write.h:
tests/../taco_tiff.h:
tests/../taco_legacy.h:
tests/../taco_write.h:
tests/../taco_publish.h:
tests/../taco_rasteret.h:
tests/names.h:
tests/tiff.h:
