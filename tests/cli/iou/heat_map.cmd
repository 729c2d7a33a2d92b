# The confusion as a figure, where there is gnuplot.
command -v gnuplot >/dev/null || exit 77
. "$CLI/iou/maps.sh"
printf 'rest\ncat\ndog\n' >names
iou --class-names names --heat-map map | tail -1
ls map.*
grep -o '<text>cat</text>\|<text>0.5</text>' map.svg | sort | uniq -c
iou --heat-map map
echo $?
iou --heat-map map --force --quiet >table
iou --heat-map pred/map
echo $?
iou --class-names names --heat-map ./other.png | tail -1
iou --class-names names --heat-map map.svg
echo $?
rm other.svg
PATH=/nowhere "$DENSEVAL" iou --truth truth --pred pred --classes 3 --heat-map other
