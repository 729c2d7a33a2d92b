# SEG-04: applied once, to the truth alone; an ignored label stays; what is not listed is refused.
. "$CLI/iou/maps.sh"
printf 'source_id,target_id\r\n0,1\r\n1,0\r\n2,255\r\n' >map.csv
iou --class-map map.csv --json | $JSON confusion mapped ignored_pixels settings.class_map
printf 'source_id,target_id\n0,0\n1,2\n2,1\n' >map.csv
for left_out in none 1; do iou --class-map map.csv --exclude-classes $left_out --json | $JSON mapped; done
printf 'source_id,target_id\n0,1\n1,0\n' >map.csv
iou --class-map map.csv
echo $?
printf 'source_id,target_id\n0,1\n0,0\n' >map.csv
iou --class-map map.csv
printf 'source_id,target_id\n0,3\n' >map.csv
iou --class-map map.csv
printf 'source_id,target_id\n' >map.csv
iou --class-map map.csv
printf 'from,to\n' >map.csv
iou --class-map map.csv
iou --class-map map.csv --class-map map.csv
