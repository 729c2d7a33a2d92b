#include "fake_gpus.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <vector>

#include <faiss/IndexFlat.h>
#include <faiss/IndexShards.h>
#include <faiss/c_api/gpu/DeviceUtils_c.h>
#include <faiss/c_api/gpu/GpuAutoTune_c.h>
#include <faiss/impl/FaissAssert.h>

static int gpus_of_environment() {
    const char *const text = std::getenv("DV_TEST_GPUS");
    return text ? std::atoi(text) : 2;
}

fake_gpus fake = {gpus_of_environment(), 0, 0, 0, 0, -1, -1, 0, false};

namespace {

enum { MOST_NEIGHBOURS = 2048 }; /* as validateKSelect of faiss/gpu/impl/IndexUtils.cu */

std::atomic<int> n_searching{0};
int n_indexes = 0;

bool fails_now() {
    return fake.call_to_fail > 0 && --fake.call_to_fail == 0;
}

/* A flat index as GpuIndexFlat behaves: no more neighbours than it can select, one search at a time. */
struct gpu_index : faiss::IndexFlatIP {
    explicit gpu_index(idx_t dim) : faiss::IndexFlatIP(dim) {
        fake.n_alive++;
        n_indexes++;
    }
    ~gpu_index() override {
        fake.n_alive--;
        n_indexes--;
    }
    void search(idx_t n, const float *x, idx_t k, float *distances, idx_t *labels,
                const faiss::SearchParameters *params) const override {
        FAISS_THROW_IF_NOT_FMT(k > 0 && k <= MOST_NEIGHBOURS, "GPU index only supports k up to %d", MOST_NEIGHBOURS);
        if (k > fake.most_asked) fake.most_asked = static_cast<int>(k);
        faiss::IndexFlatIP::search(n, x, k, distances, labels, params);
        for (idx_t i = 0; i < n * k; i++)
            if (labels[i] >= 0) distances[i] += fake.error;
    }
};

/* All of them: what the caller holds. Shards in turn, so that the counts above need no lock. */
struct gpu_indexes : faiss::IndexShards {
    explicit gpu_indexes(idx_t dim) : faiss::IndexShards(dim, false, true) { own_fields = true; }
    void search(idx_t n, const float *x, idx_t k, float *distances, idx_t *labels,
                const faiss::SearchParameters *params) const override {
        if (n_searching++ > 0) fake.had_to_share = true;
        struct leave {
            ~leave() { n_searching--; }
        } const at_the_end;
        if (fails_now()) FAISS_THROW_MSG("no memory on the GPU");
        faiss::IndexShards::search(n, x, k, distances, labels, params);
    }
};

struct resources {
    resources() { fake.n_alive++; }
    ~resources() {
        fake.n_alive--;
        if (n_indexes > 0) fake.had_to_share = true;
    }
};

struct options {
    options() { fake.n_alive++; }
    ~options() { fake.n_alive--; }
    int shard = -1, half = -1;
};

options *options_of(FaissGpuClonerOptions *handle) {
    return reinterpret_cast<options *>(handle);
}

} // namespace

extern "C" {

int faiss_get_num_gpus(int *p_output) {
    if (fails_now()) return -2;
    *p_output = fake.n_gpus;
    return 0;
}

int faiss_StandardGpuResources_new(FaissStandardGpuResources **p_res) {
    if (fails_now()) return -2;
    *p_res = reinterpret_cast<FaissStandardGpuResources *>(new resources);
    return 0;
}
void faiss_StandardGpuResources_free(FaissStandardGpuResources *old) {
    delete reinterpret_cast<resources *>(old);
}

int faiss_GpuMultipleClonerOptions_new(FaissGpuMultipleClonerOptions **p_options) {
    if (fails_now()) return -2;
    *p_options = reinterpret_cast<FaissGpuMultipleClonerOptions *>(new options);
    return 0;
}
void faiss_GpuMultipleClonerOptions_free(FaissGpuMultipleClonerOptions *old) {
    delete options_of(old);
}
void faiss_GpuClonerOptions_set_useFloat16(FaissGpuClonerOptions *of, int value) {
    options_of(of)->half = value;
}
void faiss_GpuMultipleClonerOptions_set_shard(FaissGpuMultipleClonerOptions *of, int value) {
    options_of(of)->shard = value;
}

/* As ToGpuClonerMultiple::clone_Index_to_shards: flat indexes alone, rows i n / devices and on for device i. */
int faiss_index_cpu_to_gpu_multiple_with_options(FaissGpuResourcesProvider *const *providers_vec,
                                                 size_t providers_vec_size, const int *devices, size_t devices_size,
                                                 const FaissIndex *index, const FaissGpuMultipleClonerOptions *with,
                                                 FaissGpuIndex **p_out) {
    const auto *const flat = dynamic_cast<const faiss::IndexFlat *>(reinterpret_cast<const faiss::Index *>(index));
    if (fails_now() || !flat || providers_vec_size != devices_size) return -2;
    for (size_t i = 0; i < devices_size; i++)
        if (!providers_vec[i] || devices[i] != static_cast<int>(i) || devices[i] >= fake.n_gpus) return -2;
    const auto *const chosen = reinterpret_cast<const options *>(with);
    fake.n_devices = static_cast<int>(devices_size);
    fake.shard = chosen->shard;
    fake.half = chosen->half;
    auto made = std::make_unique<gpu_indexes>(flat->d);
    const auto n = static_cast<faiss::Index::idx_t>(devices_size);
    for (faiss::Index::idx_t i = 0; i < n; i++) {
        auto part = std::make_unique<gpu_index>(flat->d);
        const auto begin = flat->ntotal * i / n, end = flat->ntotal * (i + 1) / n;
        part->add(end - begin, flat->get_xb() + begin * flat->d);
        made->add_shard(part.release());
    }
    *p_out = reinterpret_cast<FaissGpuIndex *>(static_cast<faiss::Index *>(made.release()));
    return 0;
}

} // extern "C"
