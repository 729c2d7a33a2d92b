. "$CLI/make_scene.sh"
run --objects all
status=$?
"$DENSEVAL" jf --truth truth --pred pred --set basic
"$DENSEVAL" jf --protocol muvod --truth truth --pred pred
run --radius 1,2
exit $status
