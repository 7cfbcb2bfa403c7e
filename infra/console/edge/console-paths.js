// The CloudFront Function of the console, in the form in which CloudFront runs it: one script without imports and exports.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html

/**
 * Decides what a path of the console answers, before CloudFront looks into its cache. A path below `assets/`, or with a dot in its
 * last part, is a file. Every other path below `/console/` is a view, and answers the one page. There is nothing outside of `/console/`.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls the function by this name.
function handler(event) {
  const request = event.request;
  const path = request.uri;
  if (path === '/' || path === '/console') return answer(302, 'Found', { location: { value: '/console/' } });
  if (!path.startsWith('/console/')) return answer(404, 'Not Found', {});
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!name.includes('.') && !path.startsWith('/console/assets/')) request.uri = '/console/index.html';
  return request;
}

function answer(statusCode, statusDescription, headers) {
  return {
    statusCode: statusCode,
    statusDescription: statusDescription,
    headers: Object.assign({ 'cache-control': { value: 'no-cache' } }, headers),
  };
}
