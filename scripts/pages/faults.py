"""What a check found wrong, where, and how it is printed."""
import collections

# The page as SET/NAME.html, how it was shown, the broken rule, the element, and what is wrong.
Fault = collections.namedtuple("Fault", "page shown rule selector words")


def text(fault):
    place = " ".join(part for part in (fault.page, fault.shown) if part)
    return f"{place}: {fault.rule}: {fault.selector or 'page'}: {fault.words}"
