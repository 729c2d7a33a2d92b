# Two images: the interval lies between their own scores, whatever the number of threads.
. "$CLI/iou/maps.sh"
for threads in 1 2; do iou --bootstrap 100 --threads $threads --json | $JSON miou_interval_95; done
iou --bootstrap 100 | grep interval
