/** A function of an object that works out its answer once, however many ask; it is kept as long as the object is. */
export function memoized<Key extends object, Value>(compute: (key: Key) => Value): typeof compute {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key) as Value;
  };
}
