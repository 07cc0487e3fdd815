/** A formatter takes longer to make than to use, and a bill has hundreds of numbers. */
const small = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const medium = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const large = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Numbers as people read them. */
export function amount(value: number): string {
  const size = Math.abs(value);
  return (size < 1 ? small : size < 100 ? medium : large).format(value);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** To the cent; half a cent counts as one, whatever binary fractions make of it. */
export function cents(dollars: number): number {
  return Math.round(dollars * 100 + Math.sign(dollars) * 1e-7) / 100;
}

export function money(dollars: number): string {
  const text = Math.abs(cents(dollars)).toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return cents(dollars) < 0 ? `-$${text}` : `$${text}`;
}
