from __future__ import annotations

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.model.judged import JudgeReply, Means, final_replies, judges_disagree, tally

WORDS: tuple[Means, ...] = get_args(Means)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
@settings(max_examples=200, deadline=None)
def test_only_more_than_half_of_all_votes_decide(means: list[Means]) -> None:
    found = tally(means)
    assert sum(found.votes.values()) == len(means)
    for word in ("pass", "fail"):
        assert (found.means == word) == (means.count(word) * 2 > len(means))
    assert (found.agreement is None) == (len(means) == 1)
    assert tally(means[::-1]).means == found.means


def reply(means: Means, asked: str = "", vote: int = 0, attempt: int = 0) -> JudgeReply:
    return JudgeReply(
        model="m", prompt_sha256="x", means=means, asked=asked, vote=vote, attempt=attempt
    )


def test_the_last_attempt_of_each_vote_counts() -> None:
    replies = [reply("error"), reply("pass", attempt=1), reply("fail", asked="tone")]
    assert [each.means for each in final_replies(replies)] == ["pass", "fail"]
    assert [each.means for each in final_replies(replies, "tone")] == ["fail"]


def test_judges_disagree_on_one_question_only() -> None:
    assert not judges_disagree([reply("pass", "accuracy"), reply("fail", "tone")])
    assert judges_disagree([reply("pass", "tone"), reply("fail", "tone", vote=1)])
    assert not judges_disagree([reply("pass"), reply("unknown", vote=1), reply("error", vote=2)])
    assert not judges_disagree([])
