/* hdf5_driver.h: how the HDF5 library writes our files. Its own driver passes a full disk on as a failure of whatever
 * call came by, and version 1.10 crashes when the file is then closed. Ours remembers the first failure of the system
 * and takes all that follows without a word, so that closing goes through and the failure is reported once. */
#ifndef DV_IO_HDF5_DRIVER_H
#define DV_IO_HDF5_DRIVER_H

#include <hdf5.h>

/* Registers the driver; negative on failure. To be unregistered (H5FDunregister) when its file is closed. */
hid_t dv_h5_driver_register(void);

/* Makes `access` open files with the driver. *error: 0 or errno of the first failure; outlives the file. */
herr_t dv_h5_driver_set(hid_t access, hid_t driver, int *error);

#endif
