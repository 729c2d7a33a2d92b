#!/bin/sh
# Prints a sweep of the demo set; the variables FEATURES, SIZES, EASY, BINS and EXTRA replace or add what they say.
cat <<END
schema: denseval sweep v1
encoders: [{name: early, features: "${FEATURES:-$DATA/demo/features_early.h5}"}]
memory: {sizes: [${SIZES:-240}]}
difficulties: [{name: easy, bins: [${EASY:-0, 30}]}, {name: extreme, bins: [0]}]
validation_bins: [${BINS:-0, 15, 30}]
${EXTRA:-}
END
