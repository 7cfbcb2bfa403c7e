"""A check of schemathesis: a request that matches the description is refused for a reason that the description gives in words."""

import re
import uuid

import schemathesis
from schemathesis.generation import GenerationMode

# Rules between parameters, and about values that the API gave out earlier.
BEYOND_DESCRIPTION = re.compile(
    r"must be a cursor that this API returned"
    r"|belongs to another sort order or filter: start again without it"
    r"|is required, unless externalId is given"
    r"|must be later than [\w\[\]]+"
    r"|must be a date and time that exists, in the years 1970 to 9998"
    r"|must be an ISO 8601 date and time with a time zone, .*"  # RFC 3339 also allows small letters and leap seconds
    r"|must be a UUID"  # JSON Schema's validators also allow `urn:uuid:`
    r"|must be at most \d+ bytes of UTF-8"
    r"|must be a day that exists"
    r"|must not contain the NUL character"
    r"|must (not )?have (control characters|line separators or controls of text direction|a visible character)"
    r"|must not be empty"  # displayName: spaces show nothing
    r"|must be an address that begins with https://"
    r"|must not be after to, which is .*"
    r"|must be at most 365 days before to, which is .*"
    r"|must be (in the past|at most \d+ days ago: .*)"
    r"|must not be before from"
    r"|must change something"
    r"|must have (participantId or displayName, and not both|either noticeId and createdAt, or from and perhaps to)"
    r"|must (name each type once|name two different participants|not list a language twice, nor two dialects of one language)"
    r"|must (be an absolute URL|begin with https://|name a host with a public address|not name port 0)"
    r"|must not (contain (spaces or control characters|a fragment|a user name or a password)|be an address of this service)"
    r"|cannot be combined with .*"
    r"|must be \w+:asc or \w+:desc with .*"
)


@schemathesis.check
def refused_for_a_stated_reason(ctx, response, case):
    """No 400 but for rules that JSON Schema cannot express."""
    is_valid = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if not is_valid or response.status_code != 400:
        return
    issues = response.json().get("issues") or [{"path": "", "message": response.text}]
    unstated = [issue for issue in issues if not BEYOND_DESCRIPTION.fullmatch(issue["message"])]
    if unstated:
        raise AssertionError(f"A request that matches the description was refused: {unstated}")


@schemathesis.hook
def filter_case(context, case):
    """Leaves out requests that are damaged by an unknown header alone: HTTP ignores those."""
    return "x-schemathesis-unknown-property" not in (case.headers or {})


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each valid request a key of its own. With that of an earlier one it would get that one's answer, whose webhook may be deleted."""
    is_valid = case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE
    if is_valid and case.headers and "idempotency-key" in case.headers:
        case.headers["idempotency-key"] = str(uuid.uuid4())
