"""check_includes.py must refuse what it is there to refuse, at the right line, and nothing else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("check_includes.py")


def check(files):
    """Lines that the check prints for a tree of these files (path -> text); [] means it passed."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        assert run.returncode == (1 if lines else 0) and not run.stderr, run
        return lines


class Includes(unittest.TestCase):
    def refuses(self, path, line, fault):
        self.assertEqual(check({path: "\n" + line + "\n"}), [f"{path}:2: {fault}"])

    def test_allowed_directions_pass(self):
        self.assertEqual(check({
            "src/host/io/hdf5_file.c": '#include <hdf5.h>\n#include "core/check.h"\n#include "denseval/features.h"\n',
            "src/host/pipeline/eval.c": '#include "bank/bank.h"\n#include "pipeline/stage.h"\n',
            "src/host/search/faiss/shim.cpp": '#include <faiss/IndexFlat.h>\n#include <vector>\n',
            "include/denseval/iou.h": '#include <stddef.h>\n#include "denseval/status.h"\n'}), [])

    def test_wrong_direction_names_module_and_header(self):
        self.refuses("src/host/metrics/iou.c", '#include "io/hdf5_features.h"', "metrics may not include io/hdf5_features.h")

    def test_app_sees_public_headers_only(self):
        self.refuses("src/host/app/main.c", '#include "core/check.h"', "app may not include core/check.h")

    def test_third_party_header_stays_in_its_home(self):
        self.refuses("src/host/io/labels.c", "#include <spng.h>", "only io/png may include spng.h")
        self.refuses("src/host/search/flat.c", "# include <faiss/c_api/Index_c.h>",
                     "only search/faiss/ may include faiss/c_api/Index_c.h")
        self.refuses("include/denseval/x.h", "#include <hdf5.h>", "only io/hdf5_ may include hdf5.h")

    def test_public_header_includes_no_module(self):
        self.refuses("include/denseval/x.h", '#include "core/check.h"', "a public header may not include core/check.h")

    def test_include_is_written_from_the_module(self):
        self.refuses("src/host/io/png.c", '#include "../core/check.h"', "include '../core/check.h' from its module, without '..'")
        self.refuses("src/host/io/png.c", '#include "png.h"', "include 'png.h' by its module (\"module/png.h\")")

    def test_unknown_module_wants_a_rule(self):
        self.refuses("src/host/magic/a.c", '#include "core/check.h"',
                     "module 'magic' has no line in MAY of tests/lint/check_includes.py")

    def test_include_in_a_comment_is_none(self):
        self.assertEqual(check({"src/host/core/a.c": '/*\n#include "io/png.h"\n*/\n// #include <hdf5.h>\n'}), [])


class Tree(unittest.TestCase):
    def refuses(self, path, text, *faults):
        self.assertEqual(check({path: text}), [f"{path}:{fault}" for fault in faults])

    def test_unfinished_work(self):
        self.refuses("docs/a.md", "fine\nFIXME later\n", "2: unfinished work: 'FIXME'")

    def test_machine_paths(self):
        work, home = "/" + "work", "/" + "home/me"  # in two parts, so that this file has none itself
        self.refuses("bench/run.sh", f"cd {work}/x\n", f"1: path of one machine: '{work}'")
        self.refuses("docs/a.md", f"`{home}/x`, /tmp/y\n", f"1: path of one machine: '{home}'",
                     "1: path of one machine: '/tmp'")
        self.assertEqual(check({"tests/a.sh": "mktemp -d ${TMPDIR:-/tmp}/x.XXXX; ls ../work/ $ROOT/root/ frame/work\n"}), [])

    def test_library_reads_no_environment(self):
        self.refuses("src/host/core/a.c", 'x = getenv("A");\n', "1: only app may read the environment: 'getenv'")
        self.assertEqual(check({"src/host/app/a.c": 'x = getenv("A");\n'}), [])

    def test_library_never_prints_or_exits(self):
        self.refuses("src/host/core/a.c", 'printf("a");\nfprintf(stderr, "b");\nexit(1);\n',
                     "1: the library never prints: 'printf'", "2: the library never prints: 'stderr'",
                     "3: the library never ends the process: 'exit'")

    def test_words_in_comments_and_strings_are_no_calls(self):
        self.assertEqual(check({"src/host/core/a.c": '/* exit(1), printf(x)\n stdout */ x = "exit(1) \\" abort()"; // abort()\n'
                                                     "snprintf(a, b, c); dv_exit(1); fprintf(file, c); c = '\"';\n"}), [])

    def test_calls_that_cannot_be_checked(self):
        self.refuses("src/host/app/a.c", "n = atoi(s);\n", "1: unchecked by nature: 'atoi'")

    def test_flags_that_change_bits(self):
        self.refuses("cmake/flags.cmake", "# not -ffast-math\nadd_compile_options(-O3 -ffast-math)\n",
                     "2: bits are promised, so never 'ffast-math'")
        self.refuses("src/host/core/a.c", '/* */\n#pragma GCC optimize("-Ofast")\n', "2: bits are promised, so never '-Ofast'")

    def test_architecture_names_what_is_there(self):
        text = "`src/host/io`, `io/png.h`, `tests/unit/<module>/a.c`, `src/host/*/a.c`, `io/`\n`io/gone.h`\n`src/gone/`, `gone/`\n"
        self.assertEqual(check({"ARCHITECTURE.md": text, "src/host/io/png.h": "", "src/host/io/a.c": ""}),
                         ["ARCHITECTURE.md:2: no such path: io/gone.h", "ARCHITECTURE.md:3: no such path: src/gone/",
                          "ARCHITECTURE.md:3: no such path: gone/"])

    def test_readme_is_short_and_starts_with_a_command(self):
        command = "```sh\nmake demo\n```\n"
        self.assertEqual(check({"README.md": "# a\n" + command}), [])
        self.refuses("README.md", "a\n" * 19 + command, "20: the first command must stand by line 20")
        self.refuses("README.md", command + "a\n" * 117, "120: must stay under 120 lines")


if __name__ == "__main__":
    unittest.main()
