. "$CLI/make_scene.sh"
sed s/dynamic/slow/ scenes.json >other.json
"$DENSEVAL" jf --protocol muvod --truth truth --pred pred --meta other.json
status=$?
"$DENSEVAL" jf --protocol muvod --truth truth --pred pred --meta none.json
exit $status
