"""BenchExec's view of Nilas: how it is called, and what its answers mean.

Copy this file to `benchexec/tools/nilas.py`, or put its folder on PYTHONPATH and name the tool `.nilas`.
"""

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

# What the first line of an unsafe answer begins with, and which property that violates.
VIOLATIONS = [
    ("signed overflow", result.RESULT_FALSE_OVERFLOW),
    ("memory never freed", result.RESULT_FALSE_MEMCLEANUP),
    ("memory freed twice", result.RESULT_FALSE_FREE),
    ("free of what was not allocated", result.RESULT_FALSE_FREE),
    ("access out of bounds", result.RESULT_FALSE_DEREF),
    ("null pointer dereferenced", result.RESULT_FALSE_DEREF),
    ("access of memory that is gone", result.RESULT_FALSE_DEREF),
    ("write to a string literal", result.RESULT_FALSE_DEREF),
]


class Tool(BaseTool2):
    """Nilas, a software model checker for C."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("nilas")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="nilas ")

    def name(self):
        return "Nilas"

    def project_url(self):
        return ""

    def cmdline(self, executable, options, task, rlimits):
        given = task.options or {}
        if given.get("language", "C") != "C":
            raise UnsupportedFeatureException(f"Nilas checks C, not {given['language']}")
        model = {"ILP32": ["--32"], "LP64": ["--64"], None: []}.get(given.get("data_model"))
        if model is None:
            raise UnsupportedFeatureException(f"unknown data model {given['data_model']}")
        limits = []
        if rlimits.cputime:
            limits += ["--cpu-timeout", str(rlimits.cputime)]
        if rlimits.memory:
            limits += ["--memory-limit", str(rlimits.memory // 10**6)]
        # Competitions assume that functions without a body do nothing but return.
        assumed = [] if "--unknown-functions" in options else ["--unknown-functions", "nothing"]
        files = [*task.input_files_or_identifier, *([task.property_file] if task.property_file else [])]
        return [executable, "check", *options, *assumed, *model, *limits, *files]

    def determine_result(self, run):
        code = run.exit_code.value
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 5:
            return result.RESULT_UNKNOWN
        if code != 10:
            return result.RESULT_ERROR
        said = next((line[len("unsafe: "):] for line in run.output if line.startswith("unsafe: ")), "")
        for words, verdict in VIOLATIONS:
            if said.startswith(words):
                return verdict
        return result.RESULT_FALSE_REACH
