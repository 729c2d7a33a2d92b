"""check_headers.py must refuse what it is there to refuse."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("check_headers.py")
GOOD = "#ifndef G_H\n#define G_H\n#include <stddef.h>\nstruct good { size_t n; };\n#endif\n"


def check(headers):
    """Exit status and output for an include folder that holds these headers (name -> text)."""
    with tempfile.TemporaryDirectory() as root:
        folder = pathlib.Path(root) / "denseval"
        folder.mkdir()
        for name, text in headers.items():
            (folder / name).write_text(text)
        run = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
        return run.returncode, run.stdout


class CheckHeaders(unittest.TestCase):
    def test_sound_headers_pass_without_a_word(self):
        self.assertEqual(check({"denseval.h": '#include "denseval/good.h"\n', "good.h": GOOD}), (0, ""))

    def test_header_missing_from_the_umbrella_is_named(self):
        self.assertEqual(check({"denseval.h": "typedef int dv_nothing;\n", "good.h": GOOD}),
                         (1, "denseval.h: does not include denseval/good.h\n"))

    def test_header_that_leans_on_another_is_refused(self):
        status, text = check({"denseval.h": '#include "denseval/lean.h"\n',
                              "lean.h": "#ifndef L_H\n#define L_H\nstruct lean { size_t n; };\n#endif\n"})
        self.assertEqual(status, 1)
        self.assertIn("lean.h: not usable alone by gcc -std=c17", text)

    def test_header_without_a_guard_is_refused(self):
        status, text = check({"denseval.h": '#include "denseval/twice.h"\n', "twice.h": "struct twice { int n; };\n"})
        self.assertEqual(status, 1)
        self.assertIn("redefinition", text)

    def test_header_that_is_no_cpp_is_refused(self):
        status, text = check({"denseval.h": '#include "denseval/c_only.h"\n',
                              "c_only.h": "#ifndef C_H\n#define C_H\nstruct c_only { int class; };\n#endif\n"})
        self.assertEqual(status, 1)
        self.assertIn("c_only.h: not usable alone by g++ -std=c++17", text)


if __name__ == "__main__":
    unittest.main()
