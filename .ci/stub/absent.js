throw Object.assign(new Error("this optional package is left out on purpose"), { code: "MODULE_NOT_FOUND" });
