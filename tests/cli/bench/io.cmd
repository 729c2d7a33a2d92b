# The made file is removed.
mkdir scratch
TMPDIR=$PWD/scratch "$DENSEVAL" bench io --memory-limit 64MiB --images 3 --patches 2 --dims 8 --backend cpu
ls -A scratch
