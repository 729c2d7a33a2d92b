"$DENSEVAL" info 'x*.h5'
