import type { Route } from '../template/stack.ts';

/** The route of a request, with the values of its path parameters. */
export type RouteMatch = { readonly route: Route; readonly pathParameters: Readonly<Record<string, string>> };

type Pattern = { readonly route: Route; readonly method: string; readonly segments: readonly string[] };

/** Finds the route of a method and an encoded path as an HTTP API does: literals before parameters before `{proxy+}`. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => RouteMatch | undefined {
  const patterns = routes.map((route) => patternOf(route)).sort((one, other) => compare(one, other));
  return (method, path) => {
    const segments = path.split('/').slice(1);
    for (const pattern of patterns) {
      if (pattern.method !== 'ANY' && pattern.method !== method) continue;
      const pathParameters = match(pattern.segments, segments);
      if (pathParameters) return { route: pattern.route, pathParameters };
    }
    return undefined;
  };
}

function patternOf(route: Route): Pattern {
  if (route.routeKey === '$default') return { route, method: 'ANY', segments: ['{proxy+}'] };
  const [method = 'ANY', path = '/'] = route.routeKey.split(' ');
  return { route, method, segments: path.split('/').slice(1) };
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const isGreedy = pattern.at(-1)?.endsWith('+}') ?? false;
  if (isGreedy ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const name = /^\{(.+?)\+?\}$/.exec(part)?.[1];
    const value = part.endsWith('+}') ? segments.slice(index).join('/') : (segments[index] ?? '');
    if (name === undefined ? part !== value : value === '') return undefined;
    if (name !== undefined) parameters[name] = decodeURIComponent(value);
  }
  return parameters;
}

/** Sorts routes: more specific segments first, then a named method before ANY, and `$default` last. */
function compare(one: Pattern, other: Pattern): number {
  const rank = (segment: string | undefined) => {
    if (segment === undefined) return 3;
    if (segment.endsWith('+}')) return 2;
    return segment.startsWith('{') ? 1 : 0;
  };
  for (let index = 0; index < Math.max(one.segments.length, other.segments.length); index += 1) {
    const difference = rank(one.segments[index]) - rank(other.segments[index]);
    if (difference !== 0) return difference;
  }
  return last(one) - last(other);
}

function last({ method, route }: Pattern): number {
  if (route.routeKey === '$default') return 2;
  return method === 'ANY' ? 1 : 0;
}
