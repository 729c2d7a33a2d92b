// faiss_c_shim.cpp: the part of FAISS's C API that faiss_engine.c calls, for systems whose package has the C headers
// but not the C library. Nothing of it is exported, so that a real libfaiss_c in the same process is left alone.
#include <exception>
#include <string>

#include <faiss/IndexFlat.h>
#include <faiss/IndexShards.h>
#include <faiss/c_api/IndexFlat_c.h>
#include <faiss/c_api/IndexShards_c.h>
#include <faiss/c_api/Index_c.h>
#include <faiss/c_api/error_c.h>
#include <faiss/impl/FaissException.h>

#if __has_include(<faiss/c_api/utils/utils_c.h>)
#include <faiss/c_api/utils/utils_c.h>
#endif

namespace {

thread_local std::string last_error;

// Called with the exception in flight.
int remember_exception() noexcept {
    try {
        try {
            throw;
        } catch (const faiss::FaissException &error) {
            last_error = error.what();
            return FAISS_EXCEPT;
        } catch (const std::exception &error) {
            last_error = error.what();
            return STD_EXCEPT;
        } catch (...) {
            last_error = "unknown exception";
            return UNKNOWN_EXCEPT;
        }
    } catch (...) { // no memory for the message either
        return UNKNOWN_EXCEPT;
    }
}

template <typename Action> int guarded(Action action) noexcept {
    try {
        action();
        return OK;
    } catch (...) {
        return remember_exception();
    }
}

faiss::Index *index_of(FaissIndex *handle) {
    return reinterpret_cast<faiss::Index *>(handle);
}

const faiss::Index *index_of(const FaissIndex *handle) {
    return reinterpret_cast<const faiss::Index *>(handle);
}

// A FaissIndexShards is a FaissIndex to the C compiler, so the handle is a pointer to the base class.
faiss::IndexShards &shards_of(FaissIndexShards *handle) {
    return dynamic_cast<faiss::IndexShards &>(*index_of(handle));
}

FaissIndex *handle_of(faiss::Index *index) {
    return reinterpret_cast<FaissIndex *>(index);
}

} // namespace

extern "C" {

const char *faiss_get_last_error() {
    return last_error.c_str();
}

#if __has_include(<faiss/c_api/utils/utils_c.h>)
const char *faiss_get_version() {
    static const std::string version = std::to_string(FAISS_VERSION_MAJOR) + "." + std::to_string(FAISS_VERSION_MINOR) +
                                       "." + std::to_string(FAISS_VERSION_PATCH);
    return version.c_str();
}
#endif

void faiss_Index_free(FaissIndex *index) {
    delete index_of(index);
}

int faiss_Index_add(FaissIndex *index, idx_t n, const float *x) {
    return guarded([&] { index_of(index)->add(n, x); });
}

int faiss_Index_search(const FaissIndex *index, idx_t n, const float *x, idx_t k, float *distances, idx_t *labels) {
    return guarded([&] { index_of(index)->search(n, x, k, distances, labels); });
}

int faiss_IndexFlatIP_new_with(FaissIndexFlatIP **p_index, idx_t d) {
    return guarded([&] { *p_index = handle_of(new faiss::IndexFlatIP(d)); });
}

int faiss_IndexShards_new_with_options(FaissIndexShards **p_index, idx_t d, int threaded, int successive_ids) {
    return guarded([&] { *p_index = handle_of(new faiss::IndexShards(d, threaded != 0, successive_ids != 0)); });
}

void faiss_IndexShards_set_own_fields(FaissIndexShards *index, int value) {
    (void)guarded([&] { shards_of(index).own_fields = value != 0; });
}

int faiss_IndexShards_add_shard(FaissIndexShards *index, FaissIndex *shard) {
    return guarded([&] { shards_of(index).add_shard(index_of(shard)); });
}

} // extern "C"
