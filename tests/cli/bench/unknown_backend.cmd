"$DENSEVAL" bench search --rows 40 --dims 8 --backend tpu
