#!/bin/sh
# Makes build-device/packed.tar.gz of build-cuda/: the program, the differential tests and the libraries that they start
# with, some 30 MB, for a GPU machine that has no compiler and none of our packages. There: sh bench/device.sh
# usage: device_pack.sh      after cmake --preset cuda -DDENSEVAL_WGMMA=ON and a build of what device.sh names
set -eu
cd "$(dirname "$0")/.."
from=build-cuda to=build-device
rm -rf $to
mkdir -p $to/lib $to/tests
cp $from/denseval $to/
for test in test_search_devices test_search_contract test_slots_devices test_masks_devices test_shared_bank; do
    [ ! -x $from/tests/differential/$test ] || cp $from/tests/differential/$test $to/tests/
done
# Not the C library itself: that and the loader belong to the machine.
for file in "$to"/denseval "$to"/tests/*; do
    [ ! -x "$file" ] || ldd "$file" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p'
done | sort -u | grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|ld-linux[^/]*)\.so' | while read -r library; do
    cp -L "$library" $to/lib/
done
find $to -type f -exec strip --strip-unneeded {} +
tar -C $to -czf $from/packed.tar.gz denseval lib tests
rm -rf $to
mkdir $to
mv $from/packed.tar.gz $to/
ls -l $to/packed.tar.gz
