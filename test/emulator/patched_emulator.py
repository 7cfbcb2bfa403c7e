"""Runs MiniStack with one fault mended.

When MiniStack 1.5.33 updates a nested stack, resources that do not change lose their attributes, and the next Fn::GetAtt
of one of them fails. It keeps them in a stack that is not nested, where it passes them to the same function.
"""

import inspect
import runpy

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

if __name__ == "__main__":
    runpy.run_module("ministack", run_name="__main__", alter_sys=True)
