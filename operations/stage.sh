# Functions that find the resources of a stage, for the commands of docs/deploy.md and docs/operations/. Source it in bash
# or zsh, in the project's folder, with the credentials and the region of the AWS CLI:  . operations/stage.sh prod
#
# If the stage, an output or a resource is missing, a function prints why and interrupts the command that asked for it, as
# Ctrl-C does. So no command runs with an empty value. A script ends.

# Ends the subshells up to the shell that sourced this file, and then the command of that shell. An interactive shell ignores
# TERM. A script ends with it even while it waits for a pipeline, where bash ignores INT.
interrupt() {
  local pid
  printf '%s\n' "$1" >&2
  pid=$(exec sh -c 'echo $PPID')
  while [ -n "$pid" ] && [ "$pid" -gt 1 ] && [ "$pid" -ne $$ ]; do
    set -- "$pid" "$@"
    pid=$(ps -o ppid= -p "$pid" | tr -d ' ')
  done
  # The shell that sourced this file has ended already, so the collected processes may be those of somebody else.
  [ "$pid" = $$ ] || return 1
  kill -INT $$
  kill -TERM $$
  while [ $# -gt 1 ]; do
    kill -TERM "$1"
    shift
  done
  return 1
}

need_stack() {
  [ -n "${STACK:-}" ] || interrupt 'There is no stage. First run:  . operations/stage.sh prod'
}

# The value of one of the stack's outputs:  output ApiUrl
output() {
  local value
  need_stack || return
  value=$(
    aws cloudformation describe-stacks --stack-name "$STACK" \
      --query "Stacks[0].Outputs[?OutputKey=='${1:-}'].OutputValue" --output text
  ) || value=
  case $value in
    '' | None) interrupt "Stack $STACK has no output ${1:-}, or its outputs cannot be read." ;;
    *) printf '%s\n' "$value" ;;
  esac
}

# The stack and its nested stacks, one a line.
stacks() {
  local found
  need_stack || return
  found=$(resources_of "$STACK") || return
  printf '%s\n' "$STACK"
  printf '%s\n' "$found" | awk -F '\t' '$1 == "AWS::CloudFormation::Stack" { print $3 }'
}

# Every resource of these stacks, one a line: type, name in the template, name in AWS.
resources() {
  local names
  names=$(stacks) || return
  printf '%s\n' "$names" | while read -r stack; do resources_of "$stack" || return; done
}
resources_of() {
  aws cloudformation list-stack-resources --stack-name "$1" --output text \
    --query 'StackResourceSummaries[].[ResourceType,LogicalResourceId,PhysicalResourceId]' </dev/null ||
    interrupt "The resources of stack $1 cannot be listed."
}

# The resources of a type, one a line. An optional second argument is the start of the name in the template:
#   resource AWS::IAM::Role TranscriptLink
resource() {
  matching "$1" "^${2:-}" "resource of type $1${2:+ whose name starts with $2}"
}

# A function of the stack, or its log group, by the name of the function's folder:  lambda start-transcription
lambda() { of_function AWS::Lambda::Function "$1" Function "function $1"; }
log_group() { of_function AWS::Logs::LogGroup "$1" Logs "log of a function $1"; }
of_function() {
  matching "$1" "^(Tokens)?$(printf %s "$2" | tr -d -)(Worker)?$3[0-9A-F]+\$" "$4"
}

# The names in AWS of the resources of a type whose name in the template matches a pattern.
matching() {
  local all found
  all=$(resources) || return
  found=$(printf '%s\n' "$all" | awk -F '\t' -v type="$1" -v name="$2" '$1 == type && $2 ~ name { print $3 }')
  if [ -n "$found" ]; then printf '%s\n' "$found"; else interrupt "Stack $STACK has no $3."; fi
}

# The highest value of a metric of AWS/Lambda in five minutes of the last hours, for each function, highest first. Functions
# without data have None:  by_function Errors Sum 3   by_function Duration p99 3
by_function() {
  local names
  [ $# -eq 3 ] || interrupt 'Usage: by_function METRIC STATISTIC HOURS' || return
  names=$(resource AWS::Lambda::Function) || return
  printf '%s\n' "$names" | while read -r name; do
    metric="{\"Namespace\":\"AWS/Lambda\",\"MetricName\":\"$1\",\"Dimensions\":[{\"Name\":\"FunctionName\",\"Value\":\"$name\"}]}"
    value=$(aws cloudwatch get-metric-data --start-time "$(($(date +%s) - $3 * 3600))" --end-time "$(date +%s)" \
      --metric-data-queries "[{\"Id\":\"m\",\"MetricStat\":{\"Metric\":$metric,\"Period\":300,\"Stat\":\"$2\"}}]" \
      --query 'max(MetricDataResults[0].Values)' --output text </dev/null) || return
    printf '%s\t%s\n' "$value" "$name"
  done | sort -rg
}

# The lines of a function's log, of the last hours, that match:  log_lines start-transcription 2 '{ $.level = "ERROR" }'
log_lines() {
  local group
  [ $# -eq 3 ] || interrupt 'Usage: log_lines FUNCTION HOURS PATTERN' || return
  group=$(log_group "$1") || return
  group_lines "$group" "$2" "$3"
}
# The same in the logs of all functions:  all_log_lines 2 '{ $.level = "ERROR" }'
all_log_lines() {
  local groups
  [ $# -eq 2 ] || interrupt 'Usage: all_log_lines HOURS PATTERN' || return
  groups=$(resource AWS::Logs::LogGroup) || return
  printf '%s\n' "$groups" | while read -r group; do group_lines "$group" "$1" "$2" || return; done
}
group_lines() {
  aws logs filter-log-events --log-group-name "$1" --start-time "$((($(date +%s) - $2 * 3600) * 1000))" \
    --filter-pattern "$3" --query 'events[].[message]' --output text </dev/null
}

# Runs last, so that all functions exist and interrupt if the stage is missing. Forgets what belonged to another stage.
unset STACK TABLE TABLES BUCKET BUCKETS LOG_GROUPS USER_POOL SECRET BACKUP STREAM ROLE FUNCTION RULE
STAGE=${1:-}
if [ -z "$STAGE" ]; then
  interrupt 'No stage given. Name it, for example:  . operations/stage.sh prod'
elif ! aws cloudformation describe-stacks --stack-name "Roomscribe-$STAGE" --query 'Stacks[0].StackStatus' --output text \
  >/dev/null; then
  interrupt "Stage $STAGE was not found. Check its name, AWS_REGION and your credentials."
else
  STACK=Roomscribe-$STAGE
fi
