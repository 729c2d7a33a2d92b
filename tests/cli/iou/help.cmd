"$DENSEVAL" iou --help | head -4
