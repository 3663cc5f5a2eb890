"""Broken agents, one fault each: what the suite must catch.

A fault stands in the place of one part of the real agent; all others stay as they are. The
target's `config` names it: `{defect: redactor_off}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent import ClinicalAgent
from broken import bypasses, limits, privacy, recovery, traces
from governed.runtime import Runtime

FAULTS: dict[str, type[Runtime]] = {
    "redactor_off": privacy.RedactorOff,
    "redactor_misses_full_width": privacy.RedactorMissesFullWidth,
    "redactor_misses_encoded": privacy.RedactorMissesEncoded,
    "clean_log_raw_search": privacy.CleanLogRawSearch,
    "leak_then_crash": privacy.LeakThenCrash,
    "receipt_after_act": privacy.ReceiptAfterAct,
    "no_receipt": privacy.NoReceipt,
    "schema_check_off": limits.SchemaCheckOff,
    "rejection_without_receipt": limits.RejectionWithoutReceipt,
    "cap_off": limits.CapOff,
    "budget_untracked": limits.BudgetUntracked,
    "approval_not_asked": limits.ApprovalNotAsked,
    "approval_ignored": limits.ApprovalIgnored,
    "approval_auto_granted": limits.ApprovalAutoGranted,
    "denied_but_executed": limits.DeniedButExecuted,
    "retries_off": recovery.RetriesOff,
    "retries_silent": recovery.RetriesSilent,
    "one_attempt_unrecorded": recovery.OneAttemptUnrecorded,
    "failure_called_success": recovery.FailureCalledSuccess,
    "gives_up_silently": recovery.GivesUpSilently,
    "bypass_omit_context": bypasses.BypassOmitContext,
    "bypass_rename_action": bypasses.BypassRenameAction,
    "bypass_direct_call": bypasses.BypassDirectCall,
    "direct_call_denied_silently": bypasses.DirectCallDeniedSilently,
    "clock_in_trace": traces.ClockInTrace,
    "manifest_missing": traces.ManifestMissing,
    "wrong_hash": traces.WrongHash,
    "foreign_provenance": traces.ForeignProvenance,
    "unlisted_file": traces.UnlistedFile,
}


class DefectiveAgent(ClinicalAgent):
    """The clinical agent with the fault that `config` names."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        defect = config.get("defect")
        if defect not in FAULTS:
            raise ValueError(f"unknown defect {defect!r} (known: {', '.join(FAULTS)})")
        super().__init__()
        self.runtime = FAULTS[defect]
