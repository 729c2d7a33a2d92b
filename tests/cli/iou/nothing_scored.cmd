# Every pixel is ignored; then there is no image.
. "$CLI/iou/maps.sh"
make truth 2 255:0,0,4,8
iou
echo $?
iou --allow-empty --json | $JSON images miou classes.0.iou
rm truth/*
iou
iou --allow-empty --json --quiet | $JSON images miou
mkdir -p empty
"$DENSEVAL" iou --truth pred --pred empty --classes 3
