. "$CLI/iou/maps.sh"
run() { "$DENSEVAL" iou --truth truth --pred pred --class-names names "$@"; }
printf 'rest\r\ncat\r\n\r\ndog' >names
run --json | $JSON classes.2.name settings.classes
printf '2\tdog\n0\trest\n1\tcat\n' >names
run | tail -3
run --classes 4
echo $?
printf '2\tdog\n0\trest\n' >names
run
printf '0\tdog\n0\trest\n' >names
run
printf '0\tdog\nrest\n' >names
run
printf '\n' >names
run
printf 'source_id,target_id\n0,0\n1,1\n' >names
run
printf 'rest\n1\tcat\ndog\n' >names
run
printf 'rest\n \ndog\n' >names
run
printf '0\trest\n1\t \n' >names
run
printf '0\t1,2\n1\tcat, or 2\n2\tcat, or 2\n' >names
run | tail -3
mv names names.CSV
"$DENSEVAL" iou --truth truth --pred pred --class-names names.CSV
