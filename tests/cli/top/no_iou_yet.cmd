"$DENSEVAL" iou --help
