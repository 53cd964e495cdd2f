/**
 * A request's URL with its path as the routes spell it. A base URL that ends in "/" doubles the slash of every path, and some
 * clients end theirs with one; the query stays as it is. What is not a path, such as "*", stays too.
 */
export function plainUrl(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.startsWith('/')) return url;
  const plain = path.replace(/\/{2,}/g, '/');
  return (plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain) + url.slice(path.length);
}
