import { useEffect, useRef, useState } from 'react';

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder?: string;
  /** What is searched for, as the address has it. */
  readonly value: string;
  /** Called when the reader has stopped typing, or has pressed Enter. */
  readonly onSearch: (value: string) => void;
};

const pauseMs = 350;

/** A field for a text to search for. It waits until the reader stops typing, because each search costs a point. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const latest = useRef({ value, onSearch });
  const sent = useRef(value);
  useEffect(() => {
    latest.current = { value, onSearch };
  });
  useEffect(() => {
    if (value !== sent.current) setTyped(value); // otherwise it is what was typed here, and more may be typed by now
    sent.current = value;
  }, [value]);
  const search = (text: string) => {
    if (text === latest.current.value) return;
    sent.current = text;
    latest.current.onSearch(text);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause again
  useEffect(() => {
    const timer = setTimeout(() => search(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className="field">
      {label}
      <input
        type="search"
        className="input"
        dir="auto"
        value={typed}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') search(typed);
        }}
      />
    </label>
  );
}
