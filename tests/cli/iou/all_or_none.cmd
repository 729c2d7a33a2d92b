# Files of a result: all of them or none, each its own.
command -v gnuplot >/dev/null || exit 77
. "$CLI/iou/maps.sh"
mkdir out
iou --ignore-pixels 0,1,2,255 --allow-empty --per-image out/images.csv --per-class out/classes.csv --heat-map out/map
echo $?
iou --per-image out/images.csv --per-class out/classes.csv --heat-map missing/map
echo $?
long=$(printf '%0256d' 0)
iou --per-image out/$long --per-class out/classes.csv --heat-map out/map
echo $?
iou --heat-map out/map --per-image ./out/map.svg --force
iou --heat-map out/map --per-class out/../out/map.png
iou --per-image out/a.csv --per-class ./out/a.csv
iou --heat-map out/
ls -A out
