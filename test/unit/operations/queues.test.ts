import { expect, test } from 'vitest';
import { queuesOfStage } from '#operations/queues.ts';
import { fakeCloudFormation } from '../../support/operations/fake-cognito.ts';

test('a stage without outputs of queues is an error, and not a stage without dead letters', async () => {
  const queues = queuesOfStage('prod', fakeCloudFormation('Roomscribe-prod', { ApiUrl: 'https://api.example.com' }));
  await expect(queues).rejects.toThrow('Stack Roomscribe-prod has no outputs of queues. Deploy the stage again.');
});
