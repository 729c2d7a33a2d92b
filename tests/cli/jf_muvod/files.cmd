. "$CLI/make_scene.sh"
run --out out >shown
ls out | grep -v objects
cat out/scenes.csv
head -3 out/per-frame.csv
run --out out
