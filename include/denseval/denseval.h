/* denseval.h: all public headers. */
#ifndef DENSEVAL_H
#define DENSEVAL_H

#include "denseval/aggregate.h"
#include "denseval/assignment.h"
#include "denseval/bank.h"
#include "denseval/bootstrap.h"
#include "denseval/cells.h"
#include "denseval/confusion.h"
#include "denseval/device.h"
#include "denseval/dtype.h"
#include "denseval/eval.h"
#include "denseval/features.h"
#include "denseval/hash.h"
#include "denseval/image.h"
#include "denseval/info.h"
#include "denseval/iou.h"
#include "denseval/labels.h"
#include "denseval/log.h"
#include "denseval/number.h"
#include "denseval/object_counts.h"
#include "denseval/overlay.h"
#include "denseval/peak.h"
#include "denseval/random.h"
#include "denseval/report.h"
#include "denseval/run.h"
#include "denseval/search.h"
#include "denseval/status.h"
#include "denseval/threads.h"
#include "denseval/upsample.h"
#include "denseval/version.h"

#endif
