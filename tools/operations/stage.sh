# What a stage is made of, for the commands of docs/deploy.md and docs/operations/. In bash or zsh, in the folder of the
# project, with the credentials and the region of the AWS CLI:  . tools/operations/stage.sh prod
STAGE=$1
STACK=Roomscribe-$STAGE

# The value of one of the stack's outputs:  output ApiUrl
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}

# The resources of a type, one a line; those alone whose name in the template begins so:  resource AWS::IAM::Role TranscriptLink
resource() {
  aws cloudformation list-stack-resources --stack-name "$STACK" --output text \
    --query "StackResourceSummaries[?ResourceType=='$1' && starts_with(LogicalResourceId, '${2:-}')].PhysicalResourceId" |
    tr '\t' '\n' | sed '/^$/d'
}

# A function of the stack, or its log group, by the name of the function's folder:  lambda start-transcription
lambda() { of_function AWS::Lambda::Function "$1" Function; }
log_group() { of_function AWS::Logs::LogGroup "$1" Logs; }
of_function() {
  for name in "Api$2$3" "Tokens$2$3" "$2Worker$3" "$2$3"; do
    resource "$1" "$(printf %s "$name" | tr -d -)"
  done
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
