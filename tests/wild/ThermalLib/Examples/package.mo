within ThermalLib;
package Examples
end Examples;
