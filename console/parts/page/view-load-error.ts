/** The code of a view could not be loaded: there is no network, or the server has another version of the page. */
export class ViewLoadError extends Error {
  override readonly name = 'ViewLoadError';
}
