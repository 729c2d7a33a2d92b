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
