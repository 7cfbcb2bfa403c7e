const take = process.argv[2] === 'require' ? async (name) => require(name) : (name) => import(name);

async function main({ verifyWebhook, webhookHeaders, WebhookVerificationError }) {
  const key = Buffer.alloc(32, 1);
  const body = JSON.stringify({ id: 'ntc_1', type: 'webhook.test', data: {} });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = require('node:crypto').createHmac('sha256', key).update(`ntc_1.${timestamp}.${body}`);
  const headers = {
    [webhookHeaders.id]: 'ntc_1',
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.signature]: `v1,${hmac.digest('base64')}`,
  };
  const secret = `whsec_${key.toString('base64')}`;
  const { type } = await verifyWebhook({ secret, headers, body });
  const refused = await verifyWebhook({ secret, headers, body: `${body} ` }).catch((error) => error);
  console.log(JSON.stringify([type, refused.code, refused instanceof WebhookVerificationError]));
}

take('roomscribe/webhooks').then(main, (error) => console.log(error.code, error.message));
