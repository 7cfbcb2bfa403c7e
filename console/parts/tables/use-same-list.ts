import { useRef } from 'react';

/** The list of before if it has the same elements, so that what follows from it is not computed again. */
export function useSameList<Element>(list: readonly Element[]): readonly Element[] {
  const before = useRef(list);
  const isSame = before.current.length === list.length && list.every((each, index) => each === before.current[index]);
  if (!isSame) before.current = list;
  return before.current;
}
