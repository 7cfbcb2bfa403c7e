"""Runs MiniStack with two faults mended.

When MiniStack 1.5.33 updates a nested stack, resources that do not change lose their attributes, and the next Fn::GetAtt
of one of them fails. It keeps them in a stack that is not nested, where it passes them to the same function.

When its CloudFront reads from a bucket, it asks the bucket's policy as if it came without TLS, whatever the viewer used. So a
bucket that demands TLS refuses it.
"""

import inspect
import runpy

from ministack.core import iam_evaluator
from ministack.services import s3
from ministack.services.cloudformation import _stacks, provisioners

if 'prev.get("Attributes"' in inspect.getsource(provisioners._cfn_nested_stack_deploy):
    raise SystemExit("MiniStack keeps the attributes of nested stacks now: start it by its own module again.")

update_resource = provisioners._update_resource


def update_keeping_attributes(
    resource_type, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None
):
    if old_attrs is not None:
        return update_resource(resource_type, physical_id, old_props, new_props, stack_name, logical_id, old_attrs)
    kept = _stacks[stack_name]["_resources"][logical_id]["Attributes"]
    new_id, attributes = update_resource(
        resource_type, physical_id, old_props, new_props, stack_name, logical_id, kept
    )
    return new_id, ({**kept, **attributes} if new_id == physical_id else attributes)


provisioners._update_resource = update_keeping_attributes

if iam_evaluator._request_origin.get()[1]:
    raise SystemExit("MiniStack's CloudFront reads from buckets with TLS now: remove the second mend.")

origin_allows = s3._cloudfront_origin_allows


def origin_allows_over_tls(*args):
    iam_evaluator.pin_request_origin("127.0.0.1", True)
    return origin_allows(*args)


s3._cloudfront_origin_allows = origin_allows_over_tls

if __name__ == "__main__":
    runpy.run_module("ministack", run_name="__main__", alter_sys=True)
