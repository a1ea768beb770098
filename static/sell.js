// Where the browser's zone counts, the times of a lot that is edited are written
// in it. The house, which does not know that zone, wrote them in UTC.
"use strict";

const clock = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone: zone,
});

function local(instant) {
  const p = Object.fromEntries(clock.formatToParts(new Date(instant)).map(part => [part.type, part.value]));
  return `${p.year.padStart(4, "0")}-${p.month}-${p.day}T${p.hour}:${p.minute}` + (p.second === "00" ? "" : `:${p.second}`);
}

for (const name of ["startTime", "endTime"]) {
  const instant = one("#when").dataset[name];
  if (instant) one(`#${name}`).value = local(instant);
}
