"""How a fault names its element: a selector from the nearest id downwards."""

PATH = r"""
  const path = node => {
    const parts = [];
    for (let one = node; one && one !== document.body; one = one.parentElement) {
      if (one.id) { parts.unshift("#" + one.id); break; }
      const twins = [...(one.parentElement?.children || [])].filter(o => o.tagName === one.tagName);
      const place = twins.length > 1 ? `:nth-of-type(${twins.indexOf(one) + 1})` : "";
      parts.unshift(one.tagName.toLowerCase() + place);
    }
    return parts.join(" > ");
  };
"""
