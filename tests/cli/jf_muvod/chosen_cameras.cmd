. "$CLI/make_scene.sh"
run --cameras b --json | $JSON scenes.0.cameras sequences
run --cameras z
run --scenes attic
run --cameras a,,b
run --cameras quarter --json | $JSON scenes.0.cameras.0.name unscored_cameras
