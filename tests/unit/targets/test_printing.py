import contextlib
import io
import sys
import threading
from collections.abc import Generator

from probare.model.event import Note
from probare.targets import printing
from probare.targets.recorder import CURRENT, Recorder


@contextlib.contextmanager
def _streams() -> Generator[tuple[io.StringIO, io.StringIO], None, None]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err


def test_a_trials_prints_are_its_own() -> None:
    recorder = Recorder()
    with _streams() as (out, _):
        printing.capture()
        token = CURRENT.set(recorder)
        print("inside", flush=True)
        sys.stdout.writelines(["more\n"])
        CURRENT.reset(token)
        print("outside", flush=True)
        printing.release()
    recorder.end_prints()
    (note,) = recorder.events
    assert isinstance(note, Note)
    assert note.data == "inside\nmore\n"
    assert out.getvalue() == "outside\n"


def test_a_thread_of_unknown_origin_goes_to_standard_error() -> None:
    with _streams() as (out, err):
        printing.capture()
        thread = threading.Thread(target=lambda: print("lost"))
        thread.start()
        thread.join()
        printing.release()
    assert (out.getvalue(), err.getvalue()) == ("", "lost\n")


def test_the_stream_comes_back_with_the_last_release() -> None:
    with _streams() as (out, _):
        printing.capture()
        printing.capture()
        printing.release()
        assert sys.stdout is not out
        assert sys.stdout.isatty() is out.isatty()
        printing.release()
        assert sys.stdout is out


def test_a_stream_put_over_ours_stays() -> None:
    with _streams() as (out, _):
        printing.capture()
        ours = sys.stdout
        over = io.StringIO()
        with contextlib.redirect_stdout(over):
            printing.release()
            assert sys.stdout is over
        assert sys.stdout is ours
        print("through")
        assert out.getvalue() == "through\n"
