# What is finished stays as it is and is a success; another run's result is refused.
sh "$CLI/make_sweep.sh" > s.yaml
sweep() { "$DENSEVAL" sweep "$@" --plots none --unless-done; }
sweep s.yaml --out out --quiet > first.txt
ls -l --full-time out > before.txt
echo '# a comment' >> s.yaml
sweep s.yaml --out out
sweep s.yaml --out out --force --block-images 3 --backend reference
sweep s.yaml --out out --json --quiet | cmp - out/results.json
ls -l --full-time out | cmp - before.txt
EXTRA='k: 7' sh "$CLI/make_sweep.sh" > other.yaml
sweep other.yaml --out out || echo $?
sweep s.yaml --out out --bootstrap 3 || echo $?
sweep s.yaml --out out --cells 1/2 || echo $?
cp "$DATA/demo/features_early.h5" features.h5
FEATURES=features.h5 sh "$CLI/make_sweep.sh" > copy.yaml
sweep copy.yaml --out copy --quiet > first.txt
cp "$DATA/demo/features_deep.h5" features.h5
sweep copy.yaml --out copy || echo $?
# A part of the result is gone: it is refused as any folder is.
rm out/results.csv
sweep s.yaml --out out || echo $?
sweep s.yaml --out out --force --quiet > /dev/null && ls out/results.csv
