"""Words of the record format itself, which are left alone in JSON: records must stay readable.

Kept by hand, since this room lies below the model; a test holds them complete against it.
"""

from __future__ import annotations

_WORDS = """
accuracy action adjudicated adjudication adjudicator against agreement also_failed always answer
answered_by approval approvals arguments artifact artifacts assigned at_most attempt attempts
attributes auditor avg_duration_ms baseline before by_category by_tag cached cached_tokens call_id
carried_over case_wide categories category caught changed changes checks claimed closed closed_by
cluster comments completed compliance conclusive concurrency config containment content cost_usd
coverage created critical decided_by decision decisions defects denied denominator description
digest dimension dimensions disagree disagreements distance documents duration_ms each_at_least
entered_by equivalent_languages errored errors_in_a_row events exactly examples excerpt exit_code
expect extras fail_fast failed failed_checks failed_in_passed fenced first_token_ms flagged folder
forbid format git_commit graded grader grader_version graders granted happened healthy held_out
hidden holds_gate human_review in_review incident incident_review incomplete inconclusive
infra_error input_tokens interval investigation_note isolation judge_model judge_unknown judged
judges judges_disagree language_detector legal_review length levels limits matrix max_cost max_drop
max_tokens max_turns meaning media_type medium message messages method missed missing models
must_fail near_threshold needed needs_review never_failed new_failures null_fails null_may_pass
number numerator observed observes offset open_incidents opened opened_by operation optional
optional_checks options oracle outcome output output_text output_tokens overall overlap override
parent parent_reason pass_at pass_hat pass_rate pass_rate_after pass_rate_before passed
passed_in_failed per_case person persona planned planted policy priorities priority privacy problem
process prompt_sha256 purpose question queued read_from reason reasons record recorded reference
regraded regressed regressions removed repair replayed replies requested require require_approval
required resource result retries retrieval retrievals retry_errored review reviewed reviewer reviews
reviews_in rubric rubric_id rubric_version run_id runner safety sample sampled scores secrets select
settings settles severity sha256 significant simulate skipped smallest_drop source started status
stopped structured submitted suite_digest suite_path supersedes survived suspected_phi tagged target
target_error target_kind target_settings targets temperature thread threshold timeout tokens
tool_call tool_result traceback transcript transform trials triggers truncated unblinded undecided
ungraded unknown unmoved unproven unsure verdicts version versions waiting weight workspace
"""

_NUMBERS = """
at_ms avg_duration_ms cached_tokens cost cost_usd duration_ms first_token_ms input_tokens length
offset output_tokens seed size tokens
"""

_STAMPS = """
created digest git_commit graders parent prompt_sha256 salt sha256 started suite_digest
"""

# names of fields, kinds and statuses that are long enough to be taken for a secret
WORDS = frozenset(_WORDS.split())

# fields of the harness whose numbers may be long: a number there is no secret
NUMBERS = frozenset(_NUMBERS.split())

# fields with the harness's digests, salts and times, in which a short secret may stand by chance
STAMPS = frozenset(_STAMPS.split())

# fields whose objects and arrays are an agent's or a suite's own: no word in them is the harness's
_CONTENT = """
args arguments attributes config content data documents extras input output planted query recorded
reference result state
"""
CONTENT = frozenset(_CONTENT.split())

# fields whose texts stand for themselves: the next event's is not the rest of it
_ALONE = "call_id case decision kind label list observes policy role source"
ALONE = frozenset(_ALONE.split())
