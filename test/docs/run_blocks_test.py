"""run_blocks itself: what it runs, what it leaves, and how it reports a failure."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).parent / "run_blocks"


class RunBlocks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs").mkdir()
        self.program = self.root / "program"
        self.program.write_text("#!/bin/sh\necho program \"$@\"\n")
        self.program.chmod(0o755)

    def run_on(self, text, *options):
        (self.root / "README.md").write_text(text)
        done = subprocess.run([sys.executable, RUNNER, "--program", self.program, "--root", self.root, *options],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_blocks_of_a_document_share_a_folder_and_the_program_has_both_names(self):
        code, output = self.run_on("```sh\nsluice a > a.txt\n```\ntext\n```sh\nbuild/release/sluice b >> a.txt\n```\n"
                                   "```python\nassert open('a.txt').read() == 'program a\\nprogram b\\n'\n```\n")
        self.assertEqual(code, 0, output)
        self.assertIn("3 blocks of 1 documents run, 0 failed", output)

    def test_documents_do_not_share_a_folder_and_home_is_not_the_users(self):
        (self.root / "docs/a.md").write_text("```sh\ntest ! -e left\necho \"$HOME\" | grep -q /home$\n```\n")
        code, output = self.run_on("```sh\ntouch left ~/kept\n```\n")
        self.assertEqual(code, 0, output)
        self.assertFalse((pathlib.Path.home() / "kept").exists())

    def test_a_failure_names_document_line_command_and_output(self):
        code, output = self.run_on("one\n\n```sh\ntrue\nls nowhere-to-be-found\ntouch after\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("FAILED README.md:5: ls nowhere-to-be-found\nexit code 2\n", output)
        self.assertIn("No such file", output)

    def test_a_failure_inside_a_pipe_or_of_a_name_that_is_not_set_counts(self):
        for command in ("false | cat", "echo $NOT_SET", "for i in 1 2; do false; done", "false && true; false"):
            code, output = self.run_on(f"```sh\n{command}\n```\n")
            self.assertEqual(code, 1, command + output)

    def test_a_stated_exit_code_is_demanded(self):
        self.assertEqual(self.run_on("```sh exit=3\nexit 3\n```\n")[0], 0)
        code, output = self.run_on("```sh exit=3\ntrue\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("expected 3", output)

    def test_reasons_are_counted_and_must_not_be_empty(self):
        code, output = self.run_on('```sh no-run="fetches data"\nfalse\n```\n' * 2)
        self.assertEqual(code, 0, output)
        self.assertIn("   2 not run: fetches data", output)
        for tag in ('no-run=""', 'no-run="  "', "no-run", "slow", 'no-run="open'):
            self.assertEqual(self.run_on(f"```sh {tag}\ntrue\n```\n")[0], 1, tag)

    def test_long_blocks_wait_for_long(self):
        text = "```sh\necho 1 > a\n```\n```sh long\ngrep 1 a\nfalse\n```\n"
        code, output = self.run_on(text)
        self.assertEqual(code, 0, output)
        self.assertIn("1 long ones left", output)
        self.assertEqual(self.run_on(text, "--long")[0], 1)
        self.assertIn("0 blocks", self.run_on("```sh\ntrue\n```\n", "--long")[1])

    def test_no_block_escapes_by_another_name_or_by_not_being_closed(self):
        for text in ("```bash\ntrue\n```\n", "```console\ntrue\n```\n", "```sh\ntrue\n"):
            self.assertEqual(self.run_on(text)[0], 1, text)

    def test_an_output_is_what_the_block_before_printed(self):
        command = "```sh\nprintf 'a 1.25 s\\nb\\nc\\nd\\n'\n```\n"
        for claimed in ("a 1.25 s", "b\nc", "a … s\nb", "a 1.2…", "a 1.25 s\n…\nd", "…\nd", "b  "):
            code, output = self.run_on(f"{command}text\n```output\n{claimed}\n```\n")
            self.assertEqual(code, 0, claimed + output)
        for claimed in ("a 1.26 s", "a", "b\nd", "c\nb", "b\n…\na 1.25 s", "e", "a.1.25 s", "b\n\nc"):
            code, output = self.run_on(f"{command}text\n```output\n{claimed}\n```\n")
            self.assertEqual(code, 1, claimed + output)
            self.assertIn("FAILED README.md:5: not what was printed:\n" + claimed, output)
            self.assertIn("This was:\na 1.25 s\nb\n", output)

    def test_an_output_may_name_its_block(self):
        text = '```output of="echo b"\nb\n```\n```sh\necho a\n```\n```sh\necho b\n```\n'
        self.assertEqual(self.run_on(text)[0], 0)
        self.assertEqual(self.run_on(text.replace("\nb\n", "\na\n"))[0], 1)
        for nobody in ('of="echo c"', 'of="echo"', "", "like=b"):
            self.assertEqual(self.run_on(text.replace('of="echo b"', nobody))[0], 1, nobody)

    def test_an_output_of_what_did_not_run_is_not_compared(self):
        code, output = self.run_on('```sh no-run="serves"\ntrue\n```\n```output\nanything\n```\n')
        self.assertEqual(code, 0, output)
        self.assertEqual(self.run_on("```sh\necho a\n```\n```output\n```\n")[0], 1, "nothing is claimed")

    def test_other_languages_are_left_alone(self):
        code, output = self.run_on("```toml\n[broken\n```\n```\nfalse\n```\n````md\n```sh\nfalse\n```\n````\n")
        self.assertEqual(code, 0, output)
        self.assertIn("0 blocks", output)


if __name__ == "__main__":
    unittest.main()
