/* dataset.h - TACO datasets: containers, levels as tables, queries, cursors, single samples */
#ifndef TACO__DATASET_H
#define TACO__DATASET_H

#if defined(TACO_NO_FILTERS) || defined(TACO_NO_PREDICATES)
#error "TACO_NO_FILTERS and _PREDICATES are for taco_parquet.h alone: datasets are read by both"
#endif

/* The folder reads TACO 2 datasets; taco.h is its public side. Its files, in reading order:

   collection.h   collection.c      COLLECTION.json and the PIT schema
   archive.h      zip_read.c        ZIP records: end of central directory, directory, local headers
                  container_index.c where the metadata of an archive or a catalogue is
   gdal_path.h    gdal_path.c       GDAL paths of samples, and checks of the names in them
   avro.h         avro_schema.c     Avro schemas as Arrow fields, for the first FOLDER datasets
                  avro_read.c       Avro files as Arrow columns
   container.h    container_open.c  what is at a path, and opening it
                  container.c       an open container: levels as tables, archives of a catalogue
                  range_cache.c     ranges of files, read ahead and kept until released
                  dataset.c         one or several containers as a dataset: taco_open
                  schema_differences.c  how the columns of datasets differ, in one message
                  schema_union.c    the columns of a level over all containers of a dataset
                  type_union.c      one type for columns of several types, and casts to it
                  source_routing.c  a TACOLLECTION.json as a dataset of its sources
   cascade.h      level_join.c      the parent of every row of a level
                  parent_lookup.c   the parents or children of a few rows, without joining the level
                  child_places.c    places of children that a writer has mixed up
                  box_in_crs.c      a box in degrees against geometries of other CRSs
                  query_filter.c    taco_filter as conditions on a table
                  cascade.c         the rows that conditions on several levels leave
   navigation.h   local_metadata.c  the __meta__ of a FOLDER: its children
                  navigation.c      from a path of ids to a sample, and back
                  payload.c         taco_locate, taco_payload
   cursor.h       query_parse.c     parses a taco_query: lists of columns, conditions as trees
                  condition_levels.c names of other levels in a condition
                  cursor_columns.c  which columns a query shows, by name
                  sample_path.c     the column of GDAL paths
                  table_reader.c    the rows and columns that a query takes from one table
                  select.c          a query bound to a dataset: taco_select
                  cursor_lookup.c   columns of the current row that are not shown
                  cursor.c          a cursor's life; rows one at a time; export as an Arrow stream
                  batch_compose.c   the next batch, in the order of storage
                  cursor_order.c    ORDER BY: keys, and the order of all rows
                  cursor_sorted.c   batches of a sorted result
                  task_handle.c     further handles on an open dataset, for tasks
                  order_tasks.c     the first rows of a sorted result, found by tasks
                  children.c        taco_read, taco_cursor_children
                  pixel_stats.c     taco_aggregate: statistics of many rows combined
                  shard.c           taco_shard, taco_shuffle: parts and orders of rows
                  loader.c          taco_loader: payloads in batches, decoded by tasks
   (taco.h)       range_source.c    taco_feed: files made of ranges that the host provides

   It depends on base, arrow, parquet, filter and geo. sql, write, validate, legacy, rasteret and
   publish use it; the two formats that are not TACO 2 are added as a taco_opener (container.h).

   Ownership: a dataset owns its containers, a container its files and the tables of its levels, a
   cursor its readers, its batch and its arena. What a cursor returns is valid until the next batch.
   Members in an arena are freed with it and never one by one.

   Errors: functions that take an error return false, NULL or a status, and have then set it; the
   deepest layer says what is wrong, the layers above prefix file, level and dataset
   (taco__container_fail). A cursor holds its own error and does nothing after it.

   Trust: every number from a file is validated where it is read. The counts in a document (n,
   shape) go stale in catalogues and exports, and never size or index anything. */

#include "collection.h"
#include "archive.h"
#include "gdal_path.h"
#include "avro.h"
#include "container.h"
#include "cascade.h"
#include "navigation.h"
#include "cursor.h"

#endif /* TACO__DATASET_H */
