/** DynamoDB writes at most 100 items in one transaction. */
export const maxItemsPerTransaction = 100;
