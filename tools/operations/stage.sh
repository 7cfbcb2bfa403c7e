# Functions that find the resources of a stage, for the commands of docs/deploy.md and docs/operations/. Source it in bash
# or zsh, in the project's folder, with the credentials and the region of the AWS CLI:  . tools/operations/stage.sh prod
STAGE=$1
STACK=Roomscribe-$STAGE

# The value of one of the stack's outputs:  output ApiUrl
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}

# The stack and its nested stacks, one a line.
stacks() {
  printf '%s\n' "$STACK"
  resources_of "$STACK" | awk -F '\t' '$1 == "AWS::CloudFormation::Stack" { print $3 }'
}

# Every resource of these stacks, one a line: type, name in the template, name in AWS.
resources() {
  stacks | while read -r stack; do resources_of "$stack"; done
}
resources_of() {
  aws cloudformation list-stack-resources --stack-name "$1" --output text \
    --query 'StackResourceSummaries[].[ResourceType,LogicalResourceId,PhysicalResourceId]' </dev/null
}

# The resources of a type, one a line. An optional second argument is the start of the name in the template:
#   resource AWS::IAM::Role TranscriptLink
resource() {
  resources | awk -F '\t' -v type="$1" -v start="${2:-}" '$1 == type && index($2, start) == 1 { print $3 }'
}

# A function of the stack, or its log group, by the name of the function's folder:  lambda start-transcription
lambda() { of_function AWS::Lambda::Function "$1" Function; }
log_group() { of_function AWS::Logs::LogGroup "$1" Logs; }
of_function() {
  resources | awk -F '\t' -v type="$1" -v name="^(Tokens)?$(printf %s "$2" | tr -d -)(Worker)?$3[0-9A-F]+\$" \
    '$1 == type && $2 ~ name { print $3 }'
}

# The highest value of a metric of AWS/Lambda in five minutes of the last hours, for each function, highest first. Functions
# without data have None:  by_function Errors Sum 3   by_function Duration p99 3
by_function() {
  resource AWS::Lambda::Function | while read -r name; do
    metric="{\"Namespace\":\"AWS/Lambda\",\"MetricName\":\"$1\",\"Dimensions\":[{\"Name\":\"FunctionName\",\"Value\":\"$name\"}]}"
    value=$(aws cloudwatch get-metric-data --start-time "$(($(date +%s) - $3 * 3600))" --end-time "$(date +%s)" \
      --metric-data-queries "[{\"Id\":\"m\",\"MetricStat\":{\"Metric\":$metric,\"Period\":300,\"Stat\":\"$2\"}}]" \
      --query 'max(MetricDataResults[0].Values)' --output text </dev/null)
    printf '%s\t%s\n' "$value" "$name"
  done | sort -rg
}

# The lines of a function's log, of the last hours, that match:  log_lines start-transcription 2 '{ $.level = "ERROR" }'
log_lines() { group_lines "$(log_group "$1")" "$2" "$3"; }
# The same in the logs of all functions:  all_log_lines 2 '{ $.level = "ERROR" }'
all_log_lines() {
  resource AWS::Logs::LogGroup | while read -r group; do group_lines "$group" "$1" "$2"; done
}
group_lines() {
  aws logs filter-log-events --log-group-name "$1" --start-time "$((($(date +%s) - $2 * 3600) * 1000))" \
    --filter-pattern "$3" --query 'events[].[message]' --output text </dev/null
}
